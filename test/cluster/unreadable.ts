import type { TestCluster } from "./cluster";

/** Resources of which kube-apiserver cannot read all objects, with its error. */
export async function unreadable(cluster: TestCluster): Promise<string[]> {
    const resources = await cluster.kubectl("api-resources", "--verbs=list", "-o", "name");
    const errors = resources
        .trim()
        .split("\n")
        .map((resource) =>
            cluster.kubectl("get", resource, "-A").then(
                () => [],
                (error: Error) => [`${resource}: ${error.message}`],
            ),
        );
    return (await Promise.all(errors)).flat();
}
