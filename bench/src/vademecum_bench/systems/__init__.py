"""What is measured: Vademecum through its public API, and the baselines beside it."""
