import { BadRequestException, Injectable, PipeTransform } from '@nestjs/common';

export const MIN = -(2 ** 31);
export const MAX = 2 ** 31 - 1;

/** Refuses integers longer than 32 bits, to follow ParseIntPipe, which takes any. */
@Injectable()
export class Int32Pipe implements PipeTransform<number, number> {
  transform(value: number): number {
    if (value < MIN || value > MAX) {
      throw new BadRequestException('an integer of 32 bits is expected');
    }
    return value;
  }
}
