import { ask } from "../../../clients/http";
import type { CloudMachines, Machine } from "./cloud";
import type { DigitalOceanPlace } from "./plan";

interface Droplet {
    readonly id: number;
    readonly name: string;
    readonly status: "new" | "active" | "off" | "archive";
}

interface Page {
    readonly droplets?: readonly Droplet[];
    readonly links?: { readonly pages?: { readonly next?: string } };
}

/** Droplets with the cluster's tag, and a token that may list them and start actions. */
export class Droplets implements CloudMachines {
    constructor(
        private readonly place: DigitalOceanPlace,
        private readonly token: string,
    ) {}

    async restarting({ name }: Machine): Promise<string | undefined> {
        const { id, status } = await this.#find(name);
        if (status !== "active") return `its droplet ${id} is ${status}`;
        await this.#call("POST", `/v2/droplets/${id}/actions`, { type: "power_cycle" });
        return undefined;
    }

    /** A rebuild would boot with a token that has expired. */
    async replacing(): Promise<string | undefined> {
        return "only the stack can replace a droplet";
    }

    async #find(name: string): Promise<Droplet> {
        const found: Droplet[] = [];
        for (let page = 1, isLast = false; !isLast; page++) {
            const query = `tag_name=${encodeURIComponent(this.place.tag)}&per_page=200&page=${page}`;
            const { droplets = [], links } = await this.#call<Page>("GET", `/v2/droplets?${query}`);
            found.push(...droplets.filter((each) => each.name === name));
            isLast = links?.pages?.next === undefined;
        }
        const [droplet, other] = found;
        if (droplet === undefined) throw new Error(`there is no droplet ${name} with the tag ${this.place.tag}`);
        if (other !== undefined) throw new Error(`there are several droplets ${name}: ${droplet.id}, ${other.id}`);
        return droplet;
    }

    async #call<T>(method: string, path: string, body?: object): Promise<T> {
        const headers = { authorization: `Bearer ${this.token}`, "content-type": "application/json" };
        const asked = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        const { status, text } = await ask(`${this.place.api}${path}`, asked, 30_000);
        if (status < 300) return JSON.parse(text);
        throw new Error(`DigitalOcean refuses ${method} ${path}: ${status} ${text}`.slice(0, 300));
    }
}
