"""What attackers do, one test each."""
