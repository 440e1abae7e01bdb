"""What references were measured at: the committed results of `deref evaluate references`, and the targets beside them.

deref evaluate references --data DIR --set NAME --links --out benchmarks/references/NAME.json
deref evaluate compare benchmarks/references/NAME.json now.json --data DIR
python -m benchmarks.references
"""
