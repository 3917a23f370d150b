/** A program and its arguments, without quotes. What the shell expands is left as it is, or is `$()`. */
export type Command = readonly string[];

const keywords = new Set(["if", "then", "else", "elif", "fi", "while", "until", "do", "done", "!", "{", "}", "exec"]);
const builtins =
    /^([:.[]|test|alias|break|cd|command|continue|echo|eval|exit|export|false|kill|printf|pwd|read|return|set|shift|trap|true|umask|unset|wait)$/;

/** The programs that a shell script starts, also by another one of them, such as `xargs`. */
export function commandsOf(script: string): Command[] {
    const { commands, functions } = parse(script);
    return commands
        .flatMap(started)
        .filter(([name]) => !builtins.test(name!) && !functions.has(name!) && !name!.includes("$"));
}

/** A command, and those that it starts. */
function started(words: Command): Command[] {
    const [name, ...args] = words;
    if (name === undefined) return [];
    const rest = (start: number) => (start < 0 ? [] : started(args.slice(start)));
    switch (name.split("/").at(-1)) {
        case "sh":
            return args[0] === "-c" || args[0] === "-euc" ? commandsOf(args[1]!) : [];
        case "trap":
            return commandsOf(args[0]!);
        case "env":
        case "xargs":
        case "timeout": {
            const start = args.findIndex((word) => /^(\/|[a-z])/.test(word));
            return [[name, ...args.slice(0, start)], ...rest(start)];
        }
        case "find": {
            const start = args.indexOf("-exec");
            return [words, ...(start < 0 ? [] : rest(start + 1))];
        }
        default:
            return [words];
    }
}

/** Enough of the shell's grammar for the scripts of machines. */
function parse(script: string): { readonly commands: Command[]; readonly functions: ReadonlySet<string> } {
    const text = script.replaceAll("\\\n", "");
    const commands: Command[] = [];
    const functions = new Set<string>();
    let at = 0;

    const upTo = (end: string) => {
        const start = at;
        const found = text.indexOf(end, at);
        at = found < 0 ? text.length : found + end.length;
        return text.slice(start, found < 0 ? at : found);
    };

    /** After a `$`. */
    const expansion = (): string => {
        if (text.startsWith("((", at)) {
            // Arithmetic ends with its parentheses, and may have commands in it.
            for (let depth = 0; at < text.length; ) {
                const char = text[at++];
                if (char === "$" && text[at] === "(") expansion();
                else if (char === "(") depth++;
                else if (char === ")" && --depth === 0) break;
            }
            return "$()";
        }
        if (text[at] === "(") {
            at++;
            list(")");
            return "$()";
        }
        return text[at] === "{" ? `$${upTo("}")}}` : "$";
    };

    const doubleQuoted = (end: string): string => {
        let word = "";
        while (at < text.length) {
            const char = text[at++]!;
            if (char === end) break;
            if (char === "\\") word += text[at++];
            else word += char === "$" ? expansion() : char;
        }
        return word;
    };

    const hereDocument = (delimiter: string) => {
        const body = upTo(`\n${delimiter.replaceAll("'", "")}\n`);
        if (delimiter.startsWith("'")) {
            if (body.startsWith("#!/bin/sh")) commands.push(...commandsOf(body));
        } else {
            const after = at;
            at -= body.length + delimiter.length + 2;
            while (at < after) if (text[at++] === "$") expansion();
            at = after;
        }
        at--;
    };

    function list(end = ""): void {
        let words: string[] = [];
        let word: string | undefined;
        let isTarget = false;
        let isPattern = false;
        let cases = 0;
        let groups = 0;
        const documents: string[] = [];
        const endWord = () => {
            if (word !== undefined && !isTarget) words.push(word);
            if (word !== undefined) isTarget = false;
            word = undefined;
            if (words.find((each) => !keywords.has(each)) === "case" && words.at(-1) === "in") {
                words = [];
                cases++;
                isPattern = true;
            }
            if (words.at(-1) === "esac" && words.length === 1) {
                words = [];
                cases--;
                isPattern = false;
            }
        };
        const endCommand = () => {
            endWord();
            const start = words.findIndex((each) => !keywords.has(each) && !/^\w+=/.test(each));
            if (start >= 0 && words[start] !== "for") commands.push(words.slice(start));
            words = [];
            isTarget = false;
        };
        while (at < text.length) {
            const char = text[at++]!;
            if (char === "'") word = (word ?? "") + upTo("'");
            else if (char === '"') word = (word ?? "") + doubleQuoted('"');
            else if (char === "\\") word = (word ?? "") + text[at++];
            else if (char === "$") word = (word ?? "") + expansion();
            else if (char === "#" && word === undefined) at += text.slice(at).search(/\n|$/);
            else if (char === " ") endWord();
            else if (char === ")" && groups > 0) {
                groups--;
                endCommand();
            } else if (char === ")" && isPattern) {
                words = [];
                word = undefined;
                isPattern = false;
            } else if (char === ")" && end === ")") {
                endCommand();
                return;
            } else if (char === "(" && word !== undefined && text[at] === ")") {
                functions.add(word);
                word = undefined;
                at++;
            } else if (char === "(") {
                endCommand();
                groups++;
            } else if (char === "<" && text[at] === "<") {
                at++;
                documents.push(/[^\s|]+/.exec(text.slice(at))![0]);
                at += documents.at(-1)!.length;
            } else if (char === "<" || char === ">") {
                if (/^\d+$/.test(word ?? "")) word = undefined;
                endWord();
                if (/[&>]/.test(text[at]!)) at++;
                isTarget = true;
            } else if (/[\n;&|]/.test(char) && !(isPattern && char === "|")) {
                endCommand();
                if (char === ";" && text[at] === ";") {
                    isPattern = cases > 0;
                    at++;
                }
                if (char === "\n") for (const delimiter of documents.splice(0)) hereDocument(delimiter);
            } else word = (word ?? "") + char;
        }
        endCommand();
    }
    list();
    return { commands, functions };
}
