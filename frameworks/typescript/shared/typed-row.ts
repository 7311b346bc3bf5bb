import { type Static, type TObject, type TProperties, Type } from 'typebox';

/** A date-time is text in a plain row and in JSON, and a Date in a typed row. */
export const DateTime = Type.Unsafe<Date>(
  Type.Decode(Type.String({ format: 'date-time' }), (text) => new Date(text)),
);

export interface RowClass<Row, Columns extends TProperties = TProperties> {
  new (): Row;
  readonly schema: TObject<Columns>;
}

/** Returns a class of typed rows. Its schema checks plain rows, and TypeBox's Value.Decode makes instances of them. */
export function typedRow<Columns extends TProperties>(columns: Columns) {
  class TypedRow {
    static get schema() {
      return Type.Decode(Type.Object(columns), (row) =>
        Object.assign(new this(), row),
      );
    }
  }
  return TypedRow as unknown as RowClass<Static<TObject<Columns>>, Columns>;
}
