const prefix = "--service-account-issuer=";

/**
 * Why the issuers of tokens cannot be changed like this in one step: kube-apiservers of both run side by side, and
 * tokens of the issuer before are valid for an hour.
 *
 * @param command - of the DaemonSets of the control plane
 * @param desired - the first one issues, all are accepted
 */
export function changedIssuers(command: readonly string[], desired: readonly string[]): string | undefined {
    const has = command.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length));
    const [before, next] = [has[0], desired[0]!];
    if (before === undefined || before === next) return undefined;
    if (!has.includes(next)) {
        return (
            `serviceAccountRoles must have issuing: false before tokens are of ${next}: ` +
            "every kube-apiserver must accept its tokens first. Set it, run pulumi up, and remove it"
        );
    }
    return desired.includes(before)
        ? undefined
        : `serviceAccountRoles must have issuing: false for an hour before ${before} is removed: pods have its tokens`;
}
