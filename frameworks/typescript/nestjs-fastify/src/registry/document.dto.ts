import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsInstance,
  IsInt,
  IsString,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

const ANONYMOUS_BELOW = 100;

/** IsOptional would take null, too. */
const IfPresent = () => ValidateIf((_, value) => value !== undefined);

export class Child {
  @ApiProperty({ example: 'registry-001-0' })
  @IsString()
  id!: string;

  @ApiPropertyOptional({ example: 'Birch Mill' })
  @IfPresent()
  @IsString()
  name?: string;

  @ApiPropertyOptional({ type: 'integer', example: 100 })
  @IfPresent()
  @IsInt()
  number?: number;

  anonymize(): void {
    if (this.number !== undefined && this.number < ANONYMOUS_BELOW) {
      this.number = 0;
    }
  }
}

export class Document {
  @ApiProperty({ example: 'registry-001' })
  @IsString()
  id!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  @IsInt()
  document_type!: number;

  @ApiPropertyOptional({
    type: [String],
    example: ['Amber Quay', 'Łąka Höhe'],
  })
  @IfPresent()
  @IsArray()
  @IsString({ each: true })
  string_array?: string[];

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer' },
    example: [3, 1, 2],
  })
  @IfPresent()
  @IsArray()
  @IsInt({ each: true })
  int_array?: number[];

  @ApiPropertyOptional({ type: [Child] })
  @IfPresent()
  @IsArray()
  @IsInstance(Child, { each: true })
  @ValidateNested({ each: true })
  @Type(() => Child)
  child_objects?: Child[];

  anonymize(): void {
    this.child_objects?.forEach((child) => child.anonymize());
  }
}
