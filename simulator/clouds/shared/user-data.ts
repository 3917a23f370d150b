import { createHash } from "node:crypto";
import type { Properties } from "../../plugins/protocol/serve";

/**
 * What DigitalOcean's provider keeps of a droplet's user-data among its outputs: a hash.
 * Source: terraform-provider-digitalocean, `user_data` in resource_droplet.go, `HashString` in util/hash.go.
 */
export function hashedUserData({ userData }: Properties): Properties {
    return typeof userData === "string" ? { userData: createHash("sha1").update(userData).digest("hex") } : {};
}
