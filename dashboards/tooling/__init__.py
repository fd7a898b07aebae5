"""What the tools share: budgets, names and days as a model says them, passages to cite, figures of tables."""
