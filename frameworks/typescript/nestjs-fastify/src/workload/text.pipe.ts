import { BadRequestException, PipeTransform } from '@nestjs/common';

/** The text under a key of a body. */
export class TextPipe implements PipeTransform<unknown, string> {
  constructor(private readonly key: string) {}

  transform(body: unknown): string {
    const text: unknown = Object(body)[this.key];
    if (typeof text !== 'string') {
      throw new BadRequestException(`no text: ${this.key}`);
    }
    return text;
  }
}
