"""From the vendor's pages to specs: blocks of a page, a typed page model, facts, clauses, rules, a spec file."""
