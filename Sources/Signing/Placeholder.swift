enum SigningModule {}
