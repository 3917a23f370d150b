import { images } from "../../versions/images";
import type { TestCluster } from "./cluster";

/** Creates a pod in the pod network on a node, which sends requests on demand. */
export async function makeAsker(cluster: TestCluster, nodeName: string, seconds = 60): Promise<void> {
    const containers = [{ name: "asker", image: images.node, command: ["sleep", "infinity"] }];
    const spec = { nodeName, terminationGracePeriodSeconds: 0, containers };
    await cluster.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "asker" }, spec });
    await cluster.kubectl("wait", "--for=condition=Ready", "pod/asker", `--timeout=${seconds}s`);
}

/** The pod's result: an HTTP status, an error code, or `TimeoutError` after two seconds. */
export async function ask(cluster: TestCluster, url: string, { method = "GET", headers = {} } = {}): Promise<string> {
    const options = `{method:"${method}",headers:${JSON.stringify(headers)},signal:AbortSignal.timeout(2000)}`;
    const program = `fetch("${url}",${options}).then(a=>a.status,e=>e.cause?.code??e.name).then(console.log)`;
    return (await cluster.kubectl("exec", "asker", "--", "node", "-e", program)).trim();
}
