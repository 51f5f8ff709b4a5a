// Why connections of a transport end that are not broken.

export const certificateReplaced = (): Error =>
  new Error('the certificate of the connection has been replaced');

export const transportClosed = (): Error => new Error('the transport was closed');
