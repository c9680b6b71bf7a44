"""Spark as the tests start it."""

from pyspark.sql import SparkSession


def session(master):
    spark = (SparkSession.builder.master(master)
             .config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
             .config("spark.ui.showConsoleProgress", "false").config("spark.driver.memory", "1g")
             .getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    return spark
