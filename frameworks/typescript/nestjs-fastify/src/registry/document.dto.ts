import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Expose, Type } from 'class-transformer';

const ANONYMOUS_BELOW = 100;

export class Child {
  @ApiProperty({ example: 'registry-001-0' })
  @Expose()
  id!: string;

  @ApiPropertyOptional({ example: 'Birch Mill' })
  @Expose()
  name?: string;

  @ApiPropertyOptional({ type: 'integer', example: 100 })
  @Expose()
  number?: number;

  anonymize(): void {
    if (this.number !== undefined && this.number < ANONYMOUS_BELOW) {
      this.number = 0;
    }
  }
}

export class Document {
  @ApiProperty({ example: 'registry-001' })
  @Expose()
  id!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  @Expose()
  document_type!: number;

  @ApiPropertyOptional({
    type: [String],
    example: ['Amber Quay', 'Łąka Höhe'],
  })
  @Expose()
  string_array?: string[];

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer' },
    example: [3, 1, 2],
  })
  @Expose()
  int_array?: number[];

  @ApiPropertyOptional({ type: [Child] })
  @Expose()
  @Type(() => Child)
  child_objects?: Child[];

  anonymize(): void {
    this.child_objects?.forEach((child) => child.anonymize());
  }
}
