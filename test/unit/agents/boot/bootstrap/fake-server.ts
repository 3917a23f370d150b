import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { Server } from "node:net";
import { certificates } from "./certificates";

/** A listener that can be opened and closed again on the same address. */
export class FakeServer {
    #server?: Server & { closeAllConnections(): void; closeIdleConnections(): void };
    #isOpen = false;

    constructor(
        readonly address: string,
        readonly port: number,
        readonly listener: RequestListener,
        readonly scheme: "http" | "https" = "https",
    ) {}

    get isOpen(): boolean {
        return this.#isOpen;
    }

    open(): void {
        if (this.isOpen) {
            return;
        }
        this.#isOpen = true;
        const { ca, server } = certificates();
        const tls = { ...server, ca, requestCert: true, rejectUnauthorized: false };
        this.#server = this.scheme === "https" ? createServer(tls, this.listener) : createHttpServer(this.listener);
        this.#server.on("error", (error) => {
            throw error;
        });
        this.#server.listen(this.port, this.address);
    }

    /** Open connections stay open. */
    close(): void {
        this.#isOpen = false;
        this.#server?.close();
        this.#server?.closeIdleConnections();
    }

    /** Like a power cut. */
    kill(): void {
        this.#isOpen = false;
        this.#server?.close();
        this.#server?.closeAllConnections();
    }
}
