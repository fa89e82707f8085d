"""Tests of peer."""
