import { defaultWorkers, machineCounts, type StackConfig } from "./stack-config";

export interface Summary {
    readonly name: string;
    readonly config: StackConfig;
    /** The Kubernetes version that answered before this run. @default none did */
    readonly before?: string;
    readonly kubeconfig: string;
    readonly kubectl: string;
}

/** What there is now, and what to do with it. */
export function whatNext({ name, config, before, kubeconfig, kubectl }: Summary): string {
    const option = name === "local" ? "" : ` --name ${name}`;
    const { controllers, workers } = machineCounts(config);
    const version = config["tradewind:kubernetesVersion"];
    const was = before === undefined || before === version ? "" : `, ${before} before`;
    const things = `${counted(controllers, "controller")} and ${counted(workers, "worker")}`;
    const next = [
        [`npm run tradewind -- status${option}`, "what runs where, and what is wrong, if anything"],
        [`npm run pulumi -- preview${option}`, "what a change of the configuration would change"],
        [`npm start --${option} --workers ${defaultWorkers(config) + 1}`, "another worker"],
        [`npm start --${option} --destroy`, "removes it all"],
    ];
    const width = Math.max(...next.map(([command]) => command!.length));
    return `The cluster ${name} is up: Kubernetes ${version}${was}, ${things}. What to do next:

  export KUBECONFIG=${kubeconfig}
  ${kubectl} get nodes
  ${kubectl} --namespace kube-system get pods

${next.map(([command, what]) => `  ${command!.padEnd(width)}   ${what}`).join("\n")}

Step by step: docs/tutorial-local.md
`;
}

function counted(count: number, what: string): string {
    return `${count} ${what}${count === 1 ? "" : "s"}`;
}
