import type { Credentials } from "../../../clients/kubernetes/api-client";
import { type CertificateFacts, ifKnown } from "../facts";
import { type ControllerProbe, type Host, probeController, probeWorker } from "./probes";

const mostWorkers = 50;

/** At most so many of a list, always the same ones. */
export function spread<T>(all: readonly T[], most: number): readonly T[] {
    return all.filter(
        (_, index) => Math.floor((index * most) / all.length) !== Math.floor(((index - 1) * most) / all.length),
    );
}

/** The hosts to probe directly: each once, as soon as its address is known. */
export class Hosts {
    readonly #credentials: Credentials;
    /** By address. */
    readonly #controllers = new Map<string, { readonly host: Host; readonly probe: Promise<ControllerProbe> }>();
    readonly #workers = new Map<string, Promise<CertificateFacts[]>>();

    constructor(credentials: Credentials) {
        this.#credentials = credentials;
    }

    /** If an address has several names, the first one counts. */
    addControllers(hosts: readonly Host[]): void {
        for (const host of hosts.filter(({ address }) => !this.#controllers.has(address))) {
            this.#controllers.set(host.address, { host, probe: probeController(host.address, this.#credentials) });
        }
    }

    /** Of many workers only some are probed, evenly spread: each costs a TLS handshake. @returns how many are not */
    addWorkers(hosts: readonly Host[]): number {
        const probed = spread(hosts, mostWorkers);
        for (const host of probed) {
            this.#workers.set(host.address, probeWorker(host));
        }
        return hosts.length - probed.length;
    }

    /** The controllers according to the API, which overrides anything known before. */
    setControllers(hosts: readonly Host[]): void {
        const before = new Map(this.#controllers);
        this.#controllers.clear();
        for (const host of hosts) {
            const probe = before.get(host.address)?.probe ?? probeController(host.address, this.#credentials);
            this.#controllers.set(host.address, { host, probe });
        }
    }

    /** A controller whose own apiserver is ready, if any. */
    async ready(): Promise<Host | undefined> {
        const probed = await this.controllers();
        return probed.find(({ probe }) => ifKnown(probe.apiserver.serving)?.isReady)?.host;
    }

    /** By name. */
    async controllers(): Promise<{ readonly host: Host; readonly probe: ControllerProbe }[]> {
        const probed = await Promise.all(
            [...this.#controllers.values()].map(async ({ host, probe }) => ({ host, probe: await probe })),
        );
        const names = new Intl.Collator("en", { numeric: true });
        return probed.sort((a, b) => names.compare(a.host.name, b.host.name));
    }

    async workers(): Promise<CertificateFacts[]> {
        return (await Promise.all(this.#workers.values())).flat();
    }
}
