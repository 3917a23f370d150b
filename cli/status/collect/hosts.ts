import type { Credentials } from "../../../agents/common/api-client";
import { ifKnown } from "../fact";
import type { CertificateFacts } from "../facts";
import { type ControllerProbe, type Host, probeController, probeWorker } from "./probes";

/** The hosts that are asked themselves: each once, from the moment that its address is known. */
export class Hosts {
    readonly #controllers = new Map<string, Promise<ControllerProbe>>();
    readonly #workers = new Map<string, Promise<CertificateFacts>>();

    constructor(private readonly credentials: Credentials) {}

    /** Of several names for an address, the first counts. */
    addControllers(hosts: readonly Host[]): void {
        for (const host of hosts.filter(({ address }) => !this.#controllers.has(address))) {
            this.#controllers.set(host.address, probeController(host, this.credentials));
        }
    }

    addWorkers(hosts: readonly Host[]): void {
        for (const host of hosts) {
            this.#workers.set(host.address, probeWorker(host));
        }
    }

    /** The controllers as the API has them, which knows better than whatever was known before. */
    setControllers(hosts: readonly Host[]): void {
        for (const address of this.#controllers.keys()) {
            if (!hosts.some((host) => host.address === address)) {
                this.#controllers.delete(address);
            }
        }
        this.addControllers(hosts);
    }

    /** The address of a controller whose own apiserver is ready, if there is one. */
    async ready(): Promise<Host | undefined> {
        const probes = await this.controllers();
        return probes.map(({ controller }) => controller).find(({ apiserver }) => ifKnown(apiserver)?.isReady);
    }

    async controllers(): Promise<ControllerProbe[]> {
        const probes = await Promise.all(this.#controllers.values());
        const byName = new Intl.Collator("en", { numeric: true });
        return probes.sort((a, b) => byName.compare(a.controller.name, b.controller.name));
    }

    workers(): Promise<CertificateFacts[]> {
        return Promise.all(this.#workers.values());
    }
}
