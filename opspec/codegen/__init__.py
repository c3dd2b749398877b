"""From definitions to C: prototypes, stubs, rules, and the entries of simulator and layer."""
