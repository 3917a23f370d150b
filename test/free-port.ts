import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// Below the ephemeral ports, which another process could take before its program does.
const PORTS = { from: 20_000, to: 32_000 };

/** A port of the loopback address that nothing listens on. */
export async function freePort(): Promise<number> {
    for (;;) {
        const port = randomInt(PORTS.from, PORTS.to);
        const server = createServer().listen(port, "127.0.0.1");
        try {
            await once(server, "listening");
            return port;
        } catch {
            // It is in use.
        } finally {
            server.close();
        }
    }
}
