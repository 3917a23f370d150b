import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describeError } from "../../clients/kubernetes/api-error";
import type { Listeners } from "./listeners";
import type { Generations } from "./plan";

/** Milliseconds before another attempt to listen on a port that something else uses. */
const retryMilliseconds = 10_000;

/**
 * Passes connections to 127.0.0.1 on to the component, where `kubectl port-forward` and others expect it. The component
 * itself authenticates them.
 */
export async function relay(
    generations: Generations,
    listeners: Pick<Listeners, "find">,
    log: (line: string) => void,
): Promise<Server> {
    const server = createServer((client) => {
        client.on("error", () => client.destroy());
        // Reported by closing the connection, as a component that does not run would refuse it.
        pass(client, generations, listeners).catch(() => client.destroy());
    });
    for (let logged = ""; ; await sleep(retryMilliseconds)) {
        try {
            await listen(server, generations.port);
            return server;
        } catch (error) {
            const problem = `cannot listen on 127.0.0.1:${generations.port}: ${describeError(error)}`;
            if (problem !== logged) log(problem);
            logged = problem;
        }
    }
}

async function pass(client: Socket, generations: Generations, listeners: Pick<Listeners, "find">): Promise<void> {
    const host = await listeners.find(generations);
    if (host === undefined) {
        client.destroy();
        return;
    }
    const component = connect(generations.port, host);
    component.on("error", () => client.destroy());
    component.on("close", () => client.destroy());
    client.on("close", () => component.destroy());
    client.pipe(component).pipe(client);
}

function listen(server: Server, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => {
            server.off("error", reject);
            resolve();
        });
    });
}
