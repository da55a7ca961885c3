"""Makes tables of what feedline doctor predicted and measured: rates, and the gains of changes.

    python3 doctor_table.py CASES.jsonl

A line of CASES.jsonl is an object with the case's "data" and "case", and with "doctor", what
feedline doctor --json has printed.
"""

import argparse
import json
import sys

WANTED = 15.0


def asked(case):
    doctor = case["doctor"]
    return next(run for run in doctor["runs"] if run["workers"] == doctor["workers"])


def row(case):
    doctor = case["doctor"]
    run = asked(case)
    others = run["other_processes_processors"]
    least, most = run["least_images_per_second"], run["most_images_per_second"]
    within = least <= doctor["predicted_images_per_second"] <= most
    return [
        case["data"],
        case["case"],
        str(doctor["workers"]),
        run["epoch"],
        f"{doctor['predicted_images_per_second']:.1f}",
        f"{doctor['measured_images_per_second']:.1f}",
        f"{doctor['error_percent']:+.1f}%",
        f"{least:.1f}-{most:.1f}" + ("" if within else " (outside)"),
        doctor["bottleneck"],
        "" if others is None else f"{others:.2f}",
    ]


def promised(change):
    """The least and the most gain that the figures promise."""
    if change["range_because_of"] is None:
        return change["gain"], change["gain"]
    base = change["predicted_images_per_second"] / change["gain"]
    return change["least_images_per_second"] / base, change["most_images_per_second"] / base


def promises(case):
    """The changes whose gain was promised and then measured in turns."""
    doctor = case["doctor"]
    tried = {each["change"]: each for each in doctor["tried"]}
    for change in doctor["changes"]:
        came = tried.get(change["change"])
        if came:
            least, most = promised(change)
            gain = came["measured_gain"]
            error = 100 * (min(max(gain, least), most) / gain - 1)
            yield [
                case["data"],
                case["case"],
                str(doctor["workers"]),
                change["change"],
                f"{least:.2f}" if least == most else f"{least:.2f}-{most:.2f}",
                f"{gain:.2f}",
                f"{came['least_gain']:.2f}-{came['most_gain']:.2f}",
                "in the range" if least <= gain <= most and least < most else f"{error:+.0f}%",
            ]


def table(heads, rows):
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for each in rows:
        print("| " + " | ".join(each) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", help="a file of JSON lines")
    arguments = parser.parse_args()
    with open(arguments.cases, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    if not cases:
        sys.exit(f"doctor_table.py: {arguments.cases} has no cases")
    table(
        ["data", "case", "workers", "epoch", "predicted", "measured", "error", "its parts", "bottleneck", "others' processors"],
        [row(case) for case in cases],
    )
    errors = [abs(case["doctor"]["error_percent"]) for case in cases]
    within = sum(error < WANTED for error in errors)
    print(f"\n{within} of {len(errors)} errors are below {WANTED:.0f}%; the largest is {max(errors):.1f}%.\n")
    gains = [each for case in cases for each in promises(case)]
    table(["data", "case", "workers", "change", "promised gain", "came", "in the rounds", "error"], gains)
    kept = sum(each[-1] == "in the range" or abs(float(each[-1][:-1])) < WANTED for each in gains)
    print(f"\n{kept} of {len(gains)} gains are in the promised range, or within {WANTED:.0f}%.")


if __name__ == "__main__":
    main()
