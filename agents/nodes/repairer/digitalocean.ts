import { DigitalOceanApi } from "../../../clients/digitalocean/api";
import type { CloudMachines, Machine } from "./cloud";
import type { DigitalOceanPlace } from "./plan";

interface Droplet {
    readonly id: number;
    readonly name: string;
    readonly status: "new" | "active" | "off" | "archive";
}

/** Droplets with the cluster's tag, and a token that may list them and start actions. */
export class Droplets implements CloudMachines {
    readonly #api: DigitalOceanApi;
    readonly #tag: string;

    constructor({ api, tag }: DigitalOceanPlace, token: string) {
        // A refused repair is tried again with back-off.
        this.#api = new DigitalOceanApi(api, token, 1);
        this.#tag = tag;
    }

    async restarting({ name }: Machine): Promise<string | undefined> {
        const { id, status } = await this.#find(name);
        if (status !== "active") return `its droplet ${id} is ${status}`;
        await this.#api.call("POST", `/v2/droplets/${id}/actions`, { type: "power_cycle" });
        return undefined;
    }

    /** A rebuild would boot with a token that has expired. */
    async replacing(): Promise<string | undefined> {
        return "only the stack can replace a droplet";
    }

    async #find(name: string): Promise<Droplet> {
        const all = await this.#api.list<Droplet>(`/v2/droplets?tag_name=${encodeURIComponent(this.#tag)}`, "droplets");
        const found = all.filter((each) => each.name === name);
        const [droplet, other] = found;
        if (droplet === undefined) throw new Error(`there is no droplet ${name} with the tag ${this.#tag}`);
        if (other !== undefined) throw new Error(`there are several droplets ${name}: ${droplet.id}, ${other.id}`);
        return droplet;
    }
}
