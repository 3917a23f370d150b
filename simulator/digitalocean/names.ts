import { certificateFor } from "../services/authority";
import { regions } from "./offers";

/** Names under which DigitalOcean's services answer, and a certificate for them. */
export function digitalOceanNames(): { readonly domains: readonly string[]; readonly certificate: string } {
    const spaces = regions.map((region) => `*.${region}.digitaloceanspaces.com`);
    const all = ["*.digitalocean.com", "*.digitaloceanspaces.com", ...spaces];
    return { domains: ["digitalocean.com", "digitaloceanspaces.com"], certificate: certificateFor(all) };
}
