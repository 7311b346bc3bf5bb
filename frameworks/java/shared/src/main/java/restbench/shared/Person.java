package restbench.shared;

import static restbench.shared.DataSource.numbered;

/** Somebody who works on tasks. */
public record Person(int id, String name, String picture) {

  Person withNumber(long number) {
    return new Person(id, name, numbered(picture, number));
  }
}
