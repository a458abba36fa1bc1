"""Answers to the explorer's page: compilations, runs and pictures. It runs in a process with bounds."""

from tools.explore.service.answering import serving as serving
