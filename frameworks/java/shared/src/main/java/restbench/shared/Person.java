package restbench.shared;

/** Somebody who works on tasks. */
public record Person(int id, String name, String picture) {}
