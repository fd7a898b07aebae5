"""Tables of a page, from its lines and rules, and tables that go on over pages."""
