"""Annual reports of companies that do not exist, and questions to them with the pages that answer."""
