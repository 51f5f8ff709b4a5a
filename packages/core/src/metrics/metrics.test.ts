import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

describe('Metrics', () => {
  it('counts, by labels', () => {
    const metrics = new Metrics();
    const requests = metrics.counter({ name: 'requests_total', help: 'Requests.', labels: ['code', 'verb'] });
    requests.add(['200', 'GET']);
    requests.add(['200', 'GET'], 2);
    requests.add(['404', 'GET']);
    expect(metrics.text()).toBe(
      '# HELP requests_total Requests.\n# TYPE requests_total counter\n' +
        'requests_total{code="200",verb="GET"} 3\nrequests_total{code="404",verb="GET"} 1\n',
    );
  });

  it('reads gauges when collected, and omits those without values', () => {
    const metrics = new Metrics();
    let value = 1;
    metrics.gauge({ name: 'b', help: 'B.' }, () => [{ value }]);
    metrics.gauge({ name: 'a', help: 'A.' }, () => []);
    value = 7;
    expect(metrics.text()).toBe('# HELP b B.\n# TYPE b gauge\nb 7\n');
  });

  it('counts sizes by upper bounds, cumulatively', () => {
    const metrics = new Metrics();
    const sizes = metrics.histogram({ name: 's', help: 'S.', labels: ['k'] }, [1, 10]);
    for (const size of [1, 2, 20]) sizes.observe(['x'], size);
    expect(metrics.text().split('\n').slice(2, -1)).toEqual([
      's_bucket{k="x",le="1"} 1',
      's_bucket{k="x",le="10"} 2',
      's_bucket{k="x",le="+Inf"} 3',
      's_sum{k="x"} 23',
      's_count{k="x"} 3',
    ]);
  });

  it('start anew by labels when they are reset, also for callers that kept a series', () => {
    const metrics = new Metrics();
    const labels = ['k'];
    const count = metrics.counter({ name: 'c', help: 'C.', labels }).of(['x']);
    const size = metrics.histogram({ name: 'h', help: 'H.', labels }, [1]).of(['x']);
    const sum = metrics.summary({ name: 's', help: 'S.', labels }).of(['x']);
    const total = metrics.counter({ name: 't', help: 'T.' });
    const last = new Map([['x', 1]]);
    metrics.gauge(
      { name: 'g', help: 'G.', labels },
      () => [...last].map(([name, value]) => ({ labels: [name], value })),
      () => last.clear(),
    );
    const record = (): void => {
      count.add(2);
      size.observe(3);
      sum.observe(4);
      total.add([]);
    };
    record();
    metrics.reset();
    expect(metrics.text()).toBe('# HELP t T.\n# TYPE t counter\nt 1\n');
    record();
    expect(metrics.text().match(/^[^#].*/gm)).toEqual([
      'c{k="x"} 2',
      ...['h_bucket{k="x",le="1"} 0', 'h_bucket{k="x",le="+Inf"} 1', 'h_sum{k="x"} 3', 'h_count{k="x"} 1'],
      ...['s_sum{k="x"} 4', 's_count{k="x"} 1'],
      't 2',
    ]);
  });

  it('sums up', () => {
    const metrics = new Metrics();
    const times = metrics.summary({ name: 't', help: 'T.', labels: ['k'] });
    for (const time of [1, 2.5]) times.of(['x']).observe(time);
    expect(metrics.text()).toBe('# HELP t T.\n# TYPE t summary\nt_sum{k="x"} 3.5\nt_count{k="x"} 2\n');
  });

  it('sums up with quantiles of recent amounts', () => {
    const time = { now: 0 };
    const clock = { now: () => 0, monotonic: () => time.now, setTimer: () => ({ clear() {} }) };
    const metrics = new Metrics();
    const quantiles = { shares: [0.5, 0.99], windowMilliseconds: 1000, clock };
    const times = metrics.summary({ name: 't', help: 'T.', labels: ['k'] }, quantiles);
    for (let i = 1; i <= 100; i++) times.of(['x']).observe(i);
    const lines = metrics.text().split('\n').slice(2, -1);
    expect(lines.map((line) => line.replace(/\.\d+$/, ''))).toEqual([
      expect.stringMatching(/^t\{k="x",quantile="0\.5"\} (49|50)$/),
      expect.stringMatching(/^t\{k="x",quantile="0\.99"\} (98|99)$/),
      't_sum{k="x"} 5050',
      't_count{k="x"} 100',
    ]);
    time.now = 2000;
    expect(metrics.text()).toContain('t{k="x",quantile="0.5"} NaN\n');
  });

  it('rejects a name that is already registered', () => {
    const metrics = new Metrics();
    metrics.counter({ name: 'a', help: '' });
    expect(() => metrics.counter({ name: 'a', help: '' })).toThrow('there is a metric a already');
  });

  it('prints every label value on one line', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const metrics = new Metrics();
        metrics.counter({ name: 'a', help: 'A.', labels: ['l'] }).add([value]);
        expect(metrics.text().split('\n')).toHaveLength(4);
      }),
    );
  });

  describe('of deprecated metrics', () => {
    const textOf = (release: string, showHidden = false) => {
      const warnings: string[] = [];
      const metrics = new Metrics({ release, showHidden, warn: (text) => void warnings.push(text) });
      metrics.counter({ name: 'a', help: 'A.', deprecated: '1.29' }).add([]);
      return { text: metrics.text(), warnings, metrics };
    };

    it('prefixes the description, and warns', () => {
      const { text, warnings } = textOf('1.31');
      expect(text).toBe('# HELP a (Deprecated from 1.29) A.\n# TYPE a counter\na 1\n');
      expect(warnings).toEqual(['metric a has been deprecated since version 1.29']);
    });

    it('hides them three releases later, unless they are to be shown', () => {
      const { text, warnings, metrics } = textOf('1.32');
      expect([text, warnings]).toEqual(['', []]);
      expect(() => metrics.counter({ name: 'a', help: '' })).toThrow('there is a metric a already');
      expect(textOf('1.32', true).text).toContain('(Deprecated from 1.29)');
      expect(textOf('2.0').text).toBe('');
    });
  });
});
