"""The bug ledger: which commits may be fixes, and in which releases a bug and its fix are."""
