import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// Below the ephemeral ports, which another process could take before its program does.
const PORTS = { from: 20_000, to: 32_000 };

const returned = new Set<number>();

/** A port of the loopback address that nothing listens on, and that no earlier call returned. */
export async function freePort(): Promise<number> {
    for (;;) {
        const port = randomInt(PORTS.from, PORTS.to);
        if (returned.has(port)) {
            continue;
        }
        const server = createServer().listen(port, "127.0.0.1");
        try {
            await once(server, "listening");
            returned.add(port);
            return port;
        } catch {
            // It is in use.
        } finally {
            server.close();
        }
    }
}
