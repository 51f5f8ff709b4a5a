// Beside the routes of an Express application: before anything that parses bodies
import { toNodeListener } from '@ashlar/http-node';
import express from 'express';

const API = /^\/(apis?|openapi|version|healthz|livez|readyz)(\/|$)/;

/** @param {import('@ashlar/server').ApiServer} server */
export function createApplication(server) {
  const listener = toNodeListener(server.handler);
  const application = express();
  application.use((request, response, next) =>
    API.test(request.path) ? listener(request, response) : next(),
  );
  application.use(express.json());
  application.get('/hello', (_request, response) => void response.json({ hello: 'from express' }));
  return {
    async listen() {
      const http = await new Promise((resolve) => {
        const listening = application.listen(0, '127.0.0.1', () => resolve(listening));
      });
      http.on('upgrade', listener.upgrade);
      return {
        url: `http://127.0.0.1:${http.address().port}`,
        close() {
          listener.close();
          http.closeAllConnections();
          return new Promise((resolve) => http.close(resolve));
        },
      };
    },
  };
}
