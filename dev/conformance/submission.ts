import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { versions } from "../../versions";
import type { Outcome } from "./ginkgo";

/**
 * Writes what a submission to the CNCF has in addition to `e2e.log` and `junit_01.xml`.
 *
 * @see https://github.com/cncf/k8s-conformance/blob/master/instructions.md
 */
export async function writeSubmission(folder: string, release: Release, command: string): Promise<void> {
    await writeFile(join(folder, "PRODUCT.yaml"), stringify(product(release)));
    await writeFile(join(folder, "README.md"), readme(command));
    await writeFile(join(folder, "version.txt"), `Tradewind ${release.version}\nKubernetes v${versions.kubernetes}\n`);
}

/** What the package says about itself. */
export interface Release {
    readonly version: string;
    readonly description: string;
}

/** The file that names the product. Its contact and addresses are left to who submits it. */
export function product({ version, description }: Release): Record<string, string> {
    const later = "TODO: to be filled in by the submitter";
    return {
        vendor: later,
        name: "Tradewind",
        version: `v${version}`,
        type: "installer",
        description,
        website_url: later,
        repo_url: later,
        documentation_url: later,
        product_logo_url: later,
        contact_email_address: later,
    };
}

function readme(command: string): string {
    return `# Conformance of Tradewind on Kubernetes ${versions.kubernetes}

In a checkout of this version, on a Linux machine with two cores and 16 GiB of memory:

    ${command}

It creates a local cluster with one controller and two workers, runs every conformance spec of Kubernetes
${versions.kubernetes} on it, writes this folder, and removes the cluster. The tests, and the programs of their images, are
built from Kubernetes' own module; where its image has another operating system, the build takes Debian's packages.
`;
}

/** The last lines that a user sees. */
export function renderOutcome({ passed, failed, seconds }: Outcome): string {
    return [
        ...failed.map(({ name, message }) => `failed: ${name}\n    ${message.split("\n")[0]}`),
        `${passed.length} passed, ${failed.length} failed, in ${Math.round(seconds / 60)} min`,
    ].join("\n");
}
