import { versions } from "../versions";
import { keyOf } from "./checksum";
import { archiveDebian, byDebootstrap } from "./debootstrap";
import type { DebianRoot, Item } from "./item";

interface ImageRoot {
    readonly name: Exclude<DebianRoot, "debian">;
    readonly group: string;
    /** Release of Debian. @default that of machines */
    readonly suite?: string;
    readonly packages: readonly string[];
}

/** A Debian system that only images take files from. */
export function imageRootItem({ name, group, suite = versions.debian, packages }: ImageRoot): Item {
    const place = `rootfs/${name}.tar`;
    return {
        id: `debian ${suite} for ${name}`,
        group,
        ...byDebootstrap,
        key: keyOf(suite, packages),
        how: `installing ${packages.length} packages by debootstrap`,
        make: async (workshop) => {
            await workshop.keep(await archiveDebian({ suite, packages }, workshop), place);
            return { source: "official", places: [place] };
        },
    };
}

/** HAProxy of the newest long-term release that a Debian has, and what every image takes from its root. */
export const haproxyRootItem = imageRootItem({
    name: "haproxy",
    group: "images",
    suite: versions.haproxyDebian,
    packages: ["busybox-static", "ca-certificates", "haproxy", "netbase"],
});
