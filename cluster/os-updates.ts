import type { Cluster } from "./model";

/** Systems that download their own updates and need a reboot to apply them: in the name or URL of an image. */
const updating = /\b(flatcar|fedora-coreos)\b|flatcar_/;

/** Stock images that may not install updates by themselves, and the package that does. */
const byPackage: readonly (readonly [RegExp, string])[] = [
    [/^(almalinux|centos-stream|fedora(?!-coreos)|rockylinux)-/, "dnf-automatic"],
    [/^debian-/, "unattended-upgrades"],
];

/**
 * Why machines get no updates of their OS, as far as the name of their image shows it.
 *
 * @param image - an option's value or a URL; one that is only known by its id may have any updates
 */
export function missingOsUpdates(image: string, { osReboots }: Pick<Cluster, "osReboots">): string | undefined {
    if (updating.test(image)) {
        if (osReboots) return undefined;
        return `Machines with the image ${image} download updates of their OS, but never apply them, because they are never rebooted: set osReboots.windows, or replace them regularly`;
    }
    const [, missing] = byPackage.find(([pattern]) => pattern.test(image)) ?? [];
    return (
        missing &&
        `Machines with the image ${image} get no updates of their OS unless ${missing} is installed and enabled: do that with a snippet, or replace them regularly`
    );
}
