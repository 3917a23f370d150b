import type { Server } from "node:https";

const graceMilliseconds = 1_000;

export function listen(server: Server, port: number, address: string): Promise<void> {
    return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, address, resolve);
    });
}

/** Lets out the answer that is on its way; the port is free at once. */
export function closeServer(server: Server): Promise<void> {
    setTimeout(() => server.closeAllConnections(), graceMilliseconds).unref();
    return new Promise((resolve) => server.close(() => resolve()));
}
