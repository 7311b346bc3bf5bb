import { BadRequestException, Injectable, PipeTransform } from '@nestjs/common';

const MAX = 2 ** 31 - 1;

/** Refuses integers longer than 32 bits, to follow ParseIntPipe, which takes any. */
@Injectable()
export class Int32Pipe implements PipeTransform<number, number> {
  transform(value: number): number {
    if (Math.abs(value) > MAX) {
      throw new BadRequestException('an integer of 32 bits is expected');
    }
    return value;
  }
}
