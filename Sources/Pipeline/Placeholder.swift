enum PipelineModule {}
