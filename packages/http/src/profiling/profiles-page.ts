/** What each profile tells, by its name. Those without a text are not there. */
const PROFILES: Readonly<Record<string, string>> = {
  allocs: 'Memory in use; with <code>seconds</code>, memory that was allocated meanwhile.',
  block: 'Waiting for locks: there are none, since one thread handles all requests.',
  goroutine: 'What the program waits for: connections, timers, files.',
  heap: 'Memory in use; with <code>seconds</code>, memory that was allocated meanwhile and is still in use. <code>gc=1</code> collects garbage first.',
  mutex: 'Held locks: there are none, since one thread handles all requests.',
  profile: 'Where the program spends its time, for <code>seconds</code> (30).',
  trace: 'Events of the program, for <code>seconds</code> (1), as JSON for viewers of traces.',
};

/** The page that lists the profiles. */
export function profilesPage(): string {
  const rows = Object.entries(PROFILES).map(
    ([name, meaning]) =>
      `<tr><td><a href="${name}${linkQuery(name)}">${name}</a></td><td>${meaning}</td></tr>`,
  );
  return `<!DOCTYPE html>
<html>
<head><title>/debug/pprof/</title></head>
<body>
<p>Profiles of this server. With <code>debug=1</code> they are text, else in the format of pprof.</p>
<table>
${rows.join('\n')}
</table>
</body>
</html>
`;
}

const linkQuery = (name: string): string => (name === 'profile' || name === 'trace' ? '' : '?debug=1');
