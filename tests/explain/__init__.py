"""Tests of explain."""
