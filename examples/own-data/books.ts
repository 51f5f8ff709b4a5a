import { defineResource, type ObjectOf } from '@ashlar/apis';
import { StatusError } from '@ashlar/core';
import type { ListRequest, ResourceDefinition, ResourceStorage } from '@ashlar/registry';
import { z } from 'zod';

/** The host's existing data, in their own shape. */
export interface Book {
  readonly isbn: string;
  readonly title: string;
  readonly pages: number;
}

const bookType = defineResource({
  group: 'library.example.com',
  version: 'v1',
  kind: 'Book',
  scope: 'Cluster',
  spec: z.object({ title: z.string().min(1), pages: z.int().min(1).default(1) }),
  columns: [
    { name: 'Title', cell: ({ spec }) => spec.title },
    { name: 'Pages', type: 'integer', cell: ({ spec }) => spec.pages },
  ],
});
type BookObject = ObjectOf<typeof bookType>;

const groupResource = { group: bookType.group, resource: bookType.names.plural };

/**
 * Books, served from an array. The verbs are those of `storage`: get, list and create, but not watch or
 * delete.
 */
export function defineBooks(shelf: Book[]): ResourceDefinition {
  const storage: ResourceStorage = {
    get: (_context, { name }) => toObject(bookCalled(shelf, name)),
    list: (_context, request) => ({
      items: shelf.map(toObject).filter((object) => isSelected(object, request)),
      resourceVersion: String(shelf.length),
    }),
    create: ({ dryRun }, object) => {
      const book = fromObject(object as BookObject);
      if (shelf.some(({ isbn }) => isbn === book.isbn))
        throw StatusError.alreadyExists(groupResource, book.isbn);
      if (!dryRun) shelf.push(book);
      return toObject(book);
    },
  };
  return { ...bookType, storage };
}

function bookCalled(shelf: readonly Book[], name: string): Book {
  const book = shelf.find(({ isbn }) => isbn === name);
  if (!book) throw StatusError.notFound(groupResource, name);
  return book;
}

function toObject({ isbn, title, pages }: Book): BookObject {
  return {
    apiVersion: `${bookType.group}/v1`,
    kind: bookType.names.kind,
    metadata: { name: isbn },
    spec: { title, pages },
  };
}

/** Objects are already pruned and defaulted; the storage validates them. */
function fromObject(object: BookObject): Book {
  const errors = bookType.strategy.validate?.(object) ?? [];
  const { name = '' } = object.metadata;
  if (errors.length > 0) throw StatusError.invalid(bookType.group, bookType.names.kind, name, errors);
  if (!/^[\d-]+$/.test(name)) throw StatusError.badRequest('metadata.name must be the ISBN of the book');
  return { isbn: name, ...object.spec };
}

function isSelected({ metadata }: BookObject, { labels, fields }: ListRequest): boolean {
  return (
    labels.matches({}) && fields.matches((field) => (field === 'metadata.name' ? metadata.name : undefined))
  );
}
