import type { Transport, TransportRequest, TransportResponse } from '@ashlar/core';

/** A review as a webhook receives it. */
export interface WireReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Responds to a review with its status, or with other parts of a review, too. */
export type ReviewAnswer = (review: WireReview) => object | Promise<object>;

/** A webhook in this process, and its requests. */
export class ReviewWebhook implements Transport {
  readonly asked: WireReview[] = [];
  readonly #answer: ReviewAnswer;

  constructor(answer: ReviewAnswer) {
    this.#answer = answer;
  }

  async request(_url: string, { body }: TransportRequest): Promise<TransportResponse> {
    const review = JSON.parse(new TextDecoder().decode(body)) as WireReview;
    this.asked.push(review);
    const { apiVersion, kind } = review;
    const answer = { apiVersion, kind, ...(await this.#answer(review)) };
    const bytes = new TextEncoder().encode(JSON.stringify(answer));
    const stream = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes;
    };
    return { status: 200, headers: {}, body: async () => bytes, stream };
  }
}
