"""What several test files share: tables, players, random play. No test lives here."""
