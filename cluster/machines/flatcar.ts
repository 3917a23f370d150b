/**
 * The first major version of Flatcar after 4230, whose containerd 1.7 refuses a version 3 config. The LTS of 2024,
 * 4081, also has Ignition 2.19, which refuses spec 3.5. Sources: containerd's documentation of its config, Ignition's
 * of specs.
 */
const firstFlatcar = 4459;

/** What a version of Flatcar must be, if it is too old to become a node. @param version - `4230.2.3` */
export function tooOldFlatcar(version: string): string | undefined {
    if (Number.parseInt(version, 10) >= firstFlatcar) return undefined;
    const why = "its Ignition must support spec 3.5 and its containerd must support config version 3";
    return `Flatcar ${firstFlatcar} or newer, not ${version}: ${why}`;
}
