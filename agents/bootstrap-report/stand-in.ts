import type { Server } from "node:https";
import { networkInterfaces } from "node:os";
import { closeServer, listen } from "../bootstrap-receiver/listen";
import { isRefused } from "../common/probe";
import type { ReportPlan } from "./plan";

/** Looks in a row that must find no apiserver: a listener of the API that starts again must find its port free. */
const looks = 3;

/** A listener at the API's port of this host's own addresses, as long as no apiserver is there that could need it. */
export class StandIn {
    readonly #plan: ReportPlan;
    readonly #create: () => Server;
    readonly #addresses: () => string[];
    #servers: Server[] = [];
    #missed = 0;

    /** @param addresses - @default all of IPv4 but those of the loopback, of which apiservers take some */
    constructor(plan: ReportPlan, create: () => Server, addresses = ownAddresses) {
        this.#plan = plan;
        this.#create = create;
        this.#addresses = addresses;
    }

    get isListening(): boolean {
        return this.#servers.length > 0;
    }

    /** Listens or leaves, by what is there now. */
    async look(): Promise<void> {
        const { apiservers, port } = this.#plan;
        const refused = await Promise.all(apiservers.map((address) => isRefused(address, port)));
        this.#missed = refused.includes(false) ? 0 : this.#missed + 1;
        if (this.#missed === 0) await this.leave();
        if (this.#missed >= looks && !this.isListening) await this.#listen();
    }

    async leave(): Promise<void> {
        const servers = this.#servers;
        this.#servers = [];
        await Promise.all(servers.map(closeServer));
    }

    async #listen(): Promise<void> {
        for (const address of this.#addresses()) {
            const server = this.#create();
            try {
                await listen(server, this.#plan.port, address);
                this.#servers.push(server);
            } catch {
                // Somebody serves there: a listener of the API outlives its apiserver.
                this.#missed = 0;
                return this.leave();
            }
        }
    }
}

function ownAddresses(): string[] {
    return Object.values(networkInterfaces()).flatMap((all = []) =>
        all.flatMap(({ family, internal, address }) => (family === "IPv4" && !internal ? [address] : [])),
    );
}
