import { fillItems } from "../../artifacts/fill";
import { itemsFor } from "../../artifacts/items";
import { versions } from "../../versions";
import { pathOf } from "./official-site";

/** Fills the cache online from a local site, whose builds have other checksums than the releases that the lock pins. */
async function main([port]: readonly string[]): Promise<void> {
    const sites = {
        url: (official: string) => `http://127.0.0.1:${port}${pathOf(official)}`,
        image: (official: string) => `127.0.0.1:${port}/${official}`,
        sha256: () => undefined,
    };
    await fillItems(itemsFor([versions.kubernetes], [versions.etcd]), { sites });
}

void main(process.argv.slice(2));
