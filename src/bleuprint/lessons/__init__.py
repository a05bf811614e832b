"""Teaching BLEU: lessons in steps for the page, and exercises from a seed and a level.

An exercise has texts and a solution, and finds the mistake behind a wrong answer.

>>> from bleuprint.lessons import exercise
>>> task = exercise(seed=7, level=2)
>>> [str(quantity) for quantity in task.solution][:2]
['p1 = 1', 'p2 = 1/2']
>>> task.check("p2", "50 %").is_right
True
>>> print(task.check("p2", "1").message)
1 is not p2, and none of the usual mistakes gives it.
"""

from bleuprint.lessons.checking import CheckedAnswer
from bleuprint.lessons.exercises import Exercise, exercise
from bleuprint.lessons.levels import LEVELS, ExerciseLevel
from bleuprint.lessons.mistakes import Mistake
from bleuprint.lessons.workings import Quantity

__all__ = ["LEVELS", "CheckedAnswer", "Exercise", "ExerciseLevel", "Mistake", "Quantity", "exercise"]
