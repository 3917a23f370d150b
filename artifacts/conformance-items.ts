import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaryPlace } from "../cache";
import { keyOf } from "./checksum";
import { GO, goFolder, moduleSource } from "./go-build";
import { imageRootItem } from "./image-roots";
import type { Item } from "./item";
import { conformancePackages, e2eFiles, e2eTests } from "./lock";

/** The group of Kubernetes' end-to-end tests and their images. */
export const conformance = "conformance";

/** The Debian system that the tests' images take their commands from. */
export const conformanceRootItem = imageRootItem({
    name: "conformance",
    group: conformance,
    packages: conformancePackages,
});

/**
 * The shell of the tests' images: that of busybox, but `env` also prints variables whose names are no identifiers, such as
 * `data-1`, which Debian's busybox drops and the published images print.
 */
const shell = `#!/usr/bin/bash
if [ "$1" = -c ] && [ "$2" = env ]; then exec env; fi
exec -a "$0" /usr/bin/busybox "$@"
`;

/** Files of the tests' images that are no programs, and their shell. */
export const filesOfTests: Item = {
    id: `files of ${e2eTests.name} ${e2eTests.version}`,
    group: conformance,
    lane: "other",
    key: keyOf(e2eTests.go.module, e2eFiles, shell),
    how: `copying from ${e2eTests.go.module}`,
    tools: [GO],
    make: async ({ scratch, keep }) => {
        const source = await moduleSource(goFolder(e2eTests.go.folder), "k8s.io/kubernetes");
        const places = [...Object.keys(e2eFiles), SHELL].map(filePlace);
        await writeFile(join(scratch, SHELL), shell);
        await keep(join(scratch, SHELL), filePlace(SHELL));
        for (const [name, path] of Object.entries(e2eFiles)) {
            await writeFile(join(scratch, name), await readFile(join(source, "test", "images", path)));
            await keep(join(scratch, name), filePlace(name));
        }
        return { source: "official", places };
    },
};

/** The name of the shell among these files. */
export const SHELL = "sh";

/** Path of one of these files in the cache. */
export function filePlace(name: string): string {
    return binaryPlace(e2eTests, name);
}
