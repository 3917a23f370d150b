import { connect, createServer, type Server, type Socket } from "node:net";
import type { Controller } from "./controller";

/** A proxy in front of a member's peer port that can be cut, as a network can. */
export class PeerProxy {
    readonly #server: Server;
    readonly #sockets = new Set<Socket>();
    #isCut = false;

    constructor(controller: Controller) {
        controller.isBehindProxy = true;
        this.#server = createServer((socket) => this.#forward(socket, controller.localhost));
        this.#server.listen(2380, controller.machine.address);
    }

    cut(): void {
        this.#isCut = true;
        for (const socket of this.#sockets) {
            socket.destroy();
        }
    }

    mend(): void {
        this.#isCut = false;
    }

    close(): void {
        this.cut();
        this.#server.close();
    }

    #forward(socket: Socket, host: string): void {
        if (this.#isCut) {
            socket.destroy();
            return;
        }
        const behind = connect(2380, host);
        for (const [one, other] of [
            [socket, behind],
            [behind, socket],
        ] as const) {
            this.#sockets.add(one);
            one.on("error", () => other.destroy());
            one.on("close", () => {
                this.#sockets.delete(one);
                other.destroy();
            });
            one.pipe(other);
        }
    }
}
