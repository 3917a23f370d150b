export interface Summary {
    readonly name: string;
    readonly kubeconfig: string;
    readonly kubectl: string;
}

/** What to do with a cluster that is up. */
export function whatNext({ name, kubeconfig, kubectl }: Summary): string {
    const option = name === "local" ? "" : ` --name ${name}`;
    return `The cluster ${name} is up. What to do next:

  export KUBECONFIG=${kubeconfig}
  ${kubectl} get nodes
  ${kubectl} --namespace kube-system get pods

  npm run pulumi -- preview${option}          what a change of the configuration would change
  npm start --${option} --workers 2           another worker
  npm start --${option} --destroy             removes it all
`;
}
