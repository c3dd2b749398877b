"""From what a runtime logged to the rules that it may have meant, whatever the operator: by names of params, dtypes,
facets and the words of rules."""
