import { BadRequestException, Injectable, PipeTransform } from '@nestjs/common';

import { TASK_FIELDS } from '../../../shared/models.js';

/** The fields of a task in a body; whatever else was sent is ignored. */
@Injectable()
export class TaskPipe implements PipeTransform<unknown, object> {
  transform(body: unknown): object {
    const sent = Object(body);
    const missing = TASK_FIELDS.filter((field) => !Object.hasOwn(sent, field));
    if (missing.length > 0) {
      throw new BadRequestException(`missing: ${missing.join(', ')}`);
    }
    return Object.fromEntries(TASK_FIELDS.map((field) => [field, sent[field]]));
  }
}
